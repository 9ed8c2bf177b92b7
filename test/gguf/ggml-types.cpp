// Name, elements and bytes of a block of every type of ggml's own library, a line each.
#include <cstddef>
#include <cstdint>
#include <cstdio>

extern "C" {
int64_t ggml_blck_size(int type);
size_t ggml_type_size(int type);
const char * ggml_type_name(int type);
}

int main() {
    // 43 is ggml's GGML_TYPE_COUNT
    for (int type = 0; type < 43; type++) {
        if (ggml_blck_size(type) == 0) continue;
        printf("%d %s %lld %zu\n", type, ggml_type_name(type),
               static_cast<long long>(ggml_blck_size(type)), ggml_type_size(type));
    }
}
