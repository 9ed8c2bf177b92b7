// What this runner and its libraries are.
#pragma once

#include <string>

// One JSON object. The backends must be loaded.
std::string describe_runner();
