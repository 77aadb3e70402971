"""tests/tokenizer_driver as a process: requests in, lines out, a batch at a time."""
import fcntl
import json
import select
import subprocess
import threading

DUMPS = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
F_SETPIPE_SZ = 1031
PATIENCE = 20  # seconds for one answer; no text takes long


class Driver:
    def __init__(self, program):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        for pipe in (self.process.stdin, self.process.stdout):
            fcntl.fcntl(pipe, F_SETPIPE_SZ, 1 << 20)

    def start(self, requests):
        """Sends the requests; the answers are for `finish`."""
        data = ("\n".join(map(DUMPS, requests)) + "\n\n").encode()  # an empty line: what is answered is wanted now
        self.count = len(requests)
        self.writer = threading.Thread(target=self.write, args=(data,))
        self.writer.start()

    def write(self, data):
        try:
            view = memoryview(data)
            while view:
                view = view[self.process.stdin.write(view):]
        except BrokenPipeError:
            pass  # `finish` sees that answers are missing

    def finish(self):
        """Fewer lines than requests where the driver ended, or was ended since it took too long."""
        data, lines = [], 0
        while lines < self.count:
            ready, _, _ = select.select([self.process.stdout], [], [], PATIENCE)
            chunk = self.process.stdout.read(1 << 20) if ready else b""
            if not chunk:
                self.process.kill()
                break
            data.append(chunk)
            lines += chunk.count(b"\n")
        self.writer.join()
        return b"".join(data).decode().split("\n")[:lines]

    def ask(self, requests):
        self.start(requests)
        return self.finish()

    def close(self):
        self.process.stdin.close()
        return self.process.wait()
