"""candor serve: the program starts, answers what embed answers, and stops cleanly on a signal."""
import base64
import json
import re
import signal
import socket
import struct
import subprocess
import unittest
import urllib.error
import urllib.request

from program import CANDOR, ProgramTest, as_float32, package


class Serve(ProgramTest):
    def start(self, *options):
        """(process, address)"""
        process = subprocess.Popen([CANDOR, "serve", package("classic"), "--port", "0", *options],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(lambda: (process.kill(), process.communicate()))
        line = process.stderr.readline()
        return process, re.search(r"http://\S+:\d+", line)[0]

    def post(self, address, body):
        request = urllib.request.Request(address + "/v1/embeddings", json.dumps(body).encode(), {"content-type": "application/json"})
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer), answer.headers

    def test_answers_as_embed_and_stops(self):
        process, address = self.start()
        texts = ["river", "the lake"]
        answer, headers = self.post(address, {"input": texts})
        lines = self.lines("embed", package("classic"), "--text", *texts)
        self.assertEqual([row["embedding"] for row in answer["data"]], [line["embedding"] for line in lines])
        self.assertEqual(answer["usage"]["prompt_tokens"], sum(line["tokens"] for line in lines))
        self.assertTrue(headers["x-candor-plan"].startswith("sha256:"))
        self.assertTrue(headers["x-candor-receipt"])
        packed, _ = self.post(address, {"input": texts[0], "encoding_format": "base64"})
        values = struct.unpack("<32f", base64.b64decode(packed["data"][0]["embedding"]))
        self.assertEqual(list(values), [as_float32(x) for x in lines[0]["embedding"]])
        for route in ("/health", "/metrics", "/v1/models"):
            with urllib.request.urlopen(address + route, timeout=30) as got:
                self.assertEqual(got.status, 200)
        with self.assertRaises(urllib.error.HTTPError) as refused:
            self.post(address, {"input": []})
        self.assertEqual(refused.exception.code, 400)
        refused.exception.close()
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(timeout=30), 0)

    def test_interrupt_stops_too(self):
        process, _ = self.start()
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=30), 0)

    def test_refusals(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            _, err = self.run_candor("serve", package("classic"), "--port", taken.getsockname()[1], code=2)
            self.assertIn("unsupported_option", err)
        self.run_candor("serve", package("classic"), "--port", "70000", code=2)
        self.run_candor("serve", self.folder / "none", code=3)


if __name__ == "__main__":
    unittest.main()
