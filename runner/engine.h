// The llama.cpp objects that one trial needs, made exactly as the trial says.
#pragma once

#include "llama.h"
#include "trial.h"

#include <memory>

struct FreeModel {
    void operator()(llama_model * model) const { llama_model_free(model); }
};
struct FreeContext {
    void operator()(llama_context * context) const { llama_free(context); }
};
using Model   = std::unique_ptr<llama_model, FreeModel>;
using Context = std::unique_ptr<llama_context, FreeContext>;

// ggml's waiting worker threads. Without a pool the CPU backend starts threads at every token.
class ThreadPools {
  public:
    explicit ThreadPools(const Trial & trial);
    ~ThreadPools();
    ThreadPools(const ThreadPools &)             = delete;
    ThreadPools & operator=(const ThreadPools &) = delete;

    void attach(llama_context * context) const;

  private:
    decltype(ggml_threadpool_free) * free_pool_;
    ggml_threadpool_t                pool_       = nullptr;
    ggml_threadpool_t                batch_pool_ = nullptr;  // only when its size differs
};

// Loads every backend in the folder and prepares llama.cpp.
void load_backends(const std::string & libraries);

// As load_backends must have run: memory nodes, then the devices and the model of the trial.
void  set_numa(const Trial & trial);
Model load_model(const Trial & trial);

llama_context_params context_params(const Trial & trial);
Context              create_context(llama_model * model, const llama_context_params & params);
