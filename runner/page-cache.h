// The model's file, or the files of a model in parts, in the system's page cache.
#pragma once

#include "treatment.h"

#include <optional>
#include <string>
#include <vector>

// Drops the file from the cache or reads it into it. What the system keeps all the same shows in
// resident_share: a page that is dirty or mapped by another process cannot be dropped.
void prepare_page_cache(const std::string & path, PageCache wish);

// Share of its pages that are in the cache; nothing where the system does not say.
std::optional<double> resident_share(const std::string & path);
