// Floats on standard input, what ggml's own library makes of them on standard output.
// Usage: ggml-oracle f16|q8_0|q4_0
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

extern "C" {
void ggml_fp32_to_fp16_row(const float * x, uint16_t * y, int64_t n);
void quantize_row_q8_0_ref(const float * x, void * y, int64_t k);
void quantize_row_q4_0_ref(const float * x, void * y, int64_t k);
}

int main(int argc, char ** argv) {
    if (argc != 2) return 2;
    std::vector<float> in;
    float chunk[4096];
    for (size_t got; (got = fread(chunk, sizeof(float), 4096, stdin)) > 0;) {
        in.insert(in.end(), chunk, chunk + got);
    }
    const int64_t n = static_cast<int64_t>(in.size());
    std::vector<uint8_t> out;
    if (!strcmp(argv[1], "f16")) {
        out.resize(n * 2);
        ggml_fp32_to_fp16_row(in.data(), reinterpret_cast<uint16_t *>(out.data()), n);
    } else if (!strcmp(argv[1], "q8_0")) {
        out.resize(n / 32 * 34);
        quantize_row_q8_0_ref(in.data(), out.data(), n);
    } else if (!strcmp(argv[1], "q4_0")) {
        out.resize(n / 32 * 18);
        quantize_row_q4_0_ref(in.data(), out.data(), n);
    } else {
        return 2;
    }
    return fwrite(out.data(), 1, out.size(), stdout) == out.size() ? 0 : 1;
}
