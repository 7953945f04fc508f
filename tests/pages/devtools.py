"""A browser that is told what to do, through the pipe that Chromium has for its tools: JSON, each message ended by a zero byte."""

import json
import os
import subprocess
import time

TIMEOUT = 60


class Tab:
    """A browser with one page."""

    def __init__(self, program, folder):
        (read, browser_writes), (browser_reads, write) = os.pipe(), os.pipe()
        flags = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe"]
        # The browser reads from 3 and writes to 4.
        script = f'exec "$0" "$@" 3<&{browser_reads} 4>&{browser_writes}'
        command = ["bash", "-c", script, program, *flags, f"--user-data-dir={folder}/tab", "about:blank"]
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.process = subprocess.Popen(command, pass_fds=(browser_reads, browser_writes), **quiet)
        os.close(browser_reads), os.close(browser_writes)
        self.read, self.write = os.fdopen(read, "rb", 0), os.fdopen(write, "wb", 0)
        self.number, self.session, self.events, self.left = 0, None, [], b""
        (page,) = [of for of in self.ask("Target.getTargets")["targetInfos"] if of["type"] == "page"]
        self.session = self.ask("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Network", "Log"]:
            self.ask(f"{domain}.enable")
        self.ask("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder), eventsEnabled=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.write.close()
        self.process.terminate()
        self.process.wait(TIMEOUT)
        self.read.close()

    def message(self):
        while b"\0" not in self.left:
            more = os.read(self.read.fileno(), 1 << 16)
            assert more, "the browser is gone"
            self.left += more
        message, self.left = self.left.split(b"\0", 1)
        return json.loads(message)

    def ask(self, method, **parameters):
        self.number += 1
        asked = {"id": self.number, "method": method, "params": parameters}
        if self.session and not method.startswith(("Target.", "Browser.")):
            asked["sessionId"] = self.session
        self.write.write(json.dumps(asked).encode() + b"\0")
        while (message := self.message()).get("id") != self.number:
            self.events.append(message)
        assert "error" not in message, (method, parameters, message["error"])
        return message["result"]

    def wait(self, method):
        """The next event of a kind."""
        while True:
            for at, event in enumerate(self.events):
                if event.get("method") == method:
                    return self.events.pop(at)["params"]
            self.events.append(self.message())

    def open(self, page, width=1200, height=900, scheme="light"):
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.ask("Emulation.setDeviceMetricsOverride", **size)
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.ask("Emulation.setEmulatedMedia", features=features)
        self.ask("Page.navigate", url=page.as_uri())
        self.wait("Page.loadEventFired")

    def run(self, script):
        """What an expression is in the page."""
        found = self.ask("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, (script, found["exceptionDetails"])
        return found["result"].get("value")

    def press(self, key, code=None, text=None, modifiers=0):
        """A key, pressed and let go."""
        codes = {"Tab": 9, "Enter": 13, " ": 32, "ArrowDown": 40}
        key = {"key": key, "code": code or key, "windowsVirtualKeyCode": codes[key], "modifiers": modifiers}
        self.ask("Input.dispatchKeyEvent", type="keyDown", **key, **({"text": text} if text else {}))
        self.ask("Input.dispatchKeyEvent", type="keyUp", **key)

    def click(self, element):
        """A click of the mouse in the middle of what an expression gives."""
        middle = f"""(() => {{ const of = {element}; of.scrollIntoView({{ block: "center" }});
            const {{ x, y, width, height }} = of.getBoundingClientRect(); return [x + width / 2, y + height / 2]; }})()"""
        x, y = self.run(middle)
        for kind in ["mousePressed", "mouseReleased"]:
            self.ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def saved(self, folder):
        """The file that is saved next."""
        begun = self.wait("Browser.downloadWillBegin")
        while self.wait("Browser.downloadProgress")["state"] != "completed":
            time.sleep(0.01)
        return folder / begun["suggestedFilename"]
