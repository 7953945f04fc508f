"""Rollouts by the commands of verifiers, with a server that answers as a model would."""

import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

import storysim

pytest.importorskip("verifiers", reason="verifiers is not installed")

BOARD = "first-order-mislead"
SET = {"mislead_distance": 3}
ANSWER = "room 3"


class Model(BaseHTTPRequestHandler):
    """Answers every request in the same way."""

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.asked.append(asked["messages"][-1]["content"])
        delta = {"role": "assistant", "content": f"Answer: {ANSWER}"}
        about = {"id": "x", "object": "chat.completion.chunk", "created": 0, "model": asked["model"]}
        chunks = [{"index": 0, "delta": delta, "finish_reason": None}, {"index": 0, "delta": {}, "finish_reason": "stop"}]
        lines = [f"data: {json.dumps({**about, 'choices': [chunk]})}\n\n" for chunk in chunks]
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        self.wfile.write("".join([*lines, "data: [DONE]\n\n"]).encode())

    def log_message(self, *_):
        pass


@pytest.fixture
def model():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
    server.asked = []
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def run(command, folder, *arguments):
    """Runs a command of verifiers on the tasks of storysim, and returns what it has written."""
    program = [str(Path(sys.executable).with_name(command)), "storysim", *arguments]
    environment = {**os.environ, "OPENAI_API_KEY": "none"}
    done = subprocess.run([*program, "-o", str(folder)], capture_output=True, text=True, timeout=120, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    [path] = folder.glob("*/*.jsonl")
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_a_rollout(model, tmp_path):
    tasks = {"storyboard": BOARD, "set": json.dumps(SET), "start": "4", "count": "2", "prompt": "shots:1"}
    server = ["-m", "mock", "--client.base-url", f"http://127.0.0.1:{model.server_port}/v1"]
    agent = ["--env.agent.harness.id", "null", "--env.agent.runtime.type", "subprocess", "--no-rich", "--no-push"]
    options = [part for name, value in tasks.items() for part in (f"--env.taskset.{name}", value)]
    episodes = run("vf-eval", tmp_path, *options, *server, *agent)
    rewards = {one["task"]["data"]["id"]: trace["rewards"]["right_answer"]["score"] for one in episodes for trace in one["traces"]}
    rows = list(storysim.Storyboard(BOARD, set=SET).rows(2, start=4, prompt="shots:1"))
    assert rewards == {row["id"]: float(row["answer"] == ANSWER) for row in rows}
    assert 0 < sum(rewards.values()) < len(rows)
    assert sorted(model.asked) == sorted(row["prompt"] for row in rows)


def test_right_answers_are_found_to_be_right(tmp_path):
    options = ["--taskset.storyboard", BOARD, "--taskset.count", "3", "--runtime.type", "subprocess", "--rich", "False"]
    checks = run("vf-validate", tmp_path, *options)
    assert checks and all(check["valid"] for check in checks)
