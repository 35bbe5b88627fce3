"""A client of the Open Inference Protocol 2 over HTTP, written from its public text alone.

python3 client.py BASE_URL MODEL
asks the server and the model, which KindsModel describes, what the protocol says they answer.
"""
import json
import struct
import sys
import urllib.error
import urllib.request

DATATYPES = {"BOOL", "UINT8", "UINT16", "UINT32", "UINT64", "INT8", "INT16", "INT32", "INT64",
             "FP16", "FP32", "FP64", "BYTES"}


class Client:
    def __init__(self, base):
        self.base = base.rstrip("/")

    def call(self, path, body=None, headers=None):
        """The status, headers and body of an answer."""
        data = json.dumps(body).encode() if isinstance(body, dict) else body
        request = urllib.request.Request(
            self.base + path, data,
            headers or ({"Content-Type": "application/json"} if data else {}))
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as answer:
            return answer.code, answer.headers, answer.read()

    def get(self, path):
        status, _, body = self.call(path)
        return status, json.loads(body)

    def infer(self, path, inputs, **others):
        status, _, body = self.call(path + "/infer", {"inputs": inputs, **others})
        return status, json.loads(body)


def tensor(name, datatype, data, shape=None):
    return {"name": name, "datatype": datatype, "shape": [len(data)] if shape is None else shape,
            "data": data}


def check(holds, what, seen=None):
    if not holds:
        raise AssertionError(f"{what}: {seen}")


def data(answer, name):
    status, body = answer
    check(status == 200, "inference succeeds", body)
    for output in body["outputs"]:
        check(output["datatype"] in DATATYPES, "a datatype of the protocol", output)
        count = 1
        for size in output["shape"]:
            count *= size
        check(len(output["data"]) == count, "data fills the shape", output)
    return next(output["data"] for output in body["outputs"] if output["name"] == name)


def server(client):
    status, body = client.get("/v2")
    check(status == 200, "server metadata", body)
    check(isinstance(body["name"], str) and isinstance(body["version"], str), "metadata", body)
    check(isinstance(body["extensions"], list), "extensions are a list", body)
    check(client.get("/v2/")[1] == body, "the path may end in a slash")
    check(client.get("/v2/health/live") == (200, {"live": True, "ready": True}), "live")
    check(client.get("/v2/health/ready")[0] == 200, "ready")


def metadata(client, model):
    path = "/v2/models/" + model
    status, body = client.get(path)
    check(status == 200 and body["name"] == model, "model metadata", body)
    check(isinstance(body["platform"], str), "platform", body)
    for one in body["inputs"] + body["outputs"]:
        check(one["datatype"] in DATATYPES, "a datatype of the protocol", one)
        check(all(isinstance(size, int) for size in one["shape"]), "a shape", one)
    check(body["versions"] == ["0"], "versions are texts", body)
    check(client.get(path + "/versions/0")[1] == body, "metadata by version")
    check(client.get(path + "/ready") == (200, {"name": model, "ready": True}), "model ready")
    check(client.get(path + "/versions/0/ready")[0] == 200, "version ready")
    kinds = {one["name"]: one["datatype"] for one in body["inputs"]}
    check(kinds == {"truth": "BOOL", "small": "INT32", "large": "INT64", "single": "FP32",
                    "real": "FP64", "text": "BYTES", "kind": "BYTES", "amount": "FP64",
                    "day": "INT32", "station.name": "BYTES"}, "inputs", kinds)


ALL = [("truth", "BOOL", True), ("small", "INT32", 1), ("large", "INT64", 1), ("single", "FP32", 1.5),
       ("real", "FP64", 1.5), ("text", "BYTES", "b"), ("kind", "BYTES", "b"), ("amount", "FP64", 1.25),
       ("day", "INT32", 20000), ("station.name", "BYTES", "b")]


def inference(client, model):
    path = "/v2/models/" + model
    every = [tensor(name, datatype, [value]) for name, datatype, value in ALL]
    check(data(client.infer(path, every), "raw_scores") == [1023.0], "all inputs count")
    check(data(client.infer(path + "/versions/0", every), "raw_scores") == [1023.0], "by version")
    for i, (name, datatype, value) in enumerate(ALL):
        one = data(client.infer(path, [tensor(name, datatype, [value])]), "raw_scores")
        check(one == [float(1 << i)], "the others are missing", (name, one))
    for datatype in sorted(DATATYPES - {"BOOL", "BYTES"}):
        for name, i in (("small", 1), ("real", 4)):
            seen = data(client.infer(path, [tensor(name, datatype, [1, 0], [2, 1])]), "raw_scores")
            check(seen == [float(1 << i), 0.0], "of each datatype", (datatype, seen))
    for value in (None, float("nan")):
        seen = data(client.infer(path, [tensor("real", "FP32", [value, 1.5])]), "raw_scores")
        check(seen == [0.0, 16.0], "a missing value", (value, seen))
    seen = data(client.infer(path, [tensor("day", "BYTES", ["2024-10-04"])]), "raw_scores")
    check(seen == [256.0], "a day as text", seen)

    body = client.infer(path, [tensor("text", "BYTES", ["b", "a", None], [3, 1])],
                        id="42", parameters={"anything": 1},
                        outputs=[{"name": "label"}, {"name": "probabilities"}, {"name": "classes"}])
    labels, shares = data(body, "label"), data(body, "probabilities")
    check(labels == ["yes", "no", "no"], "class names", labels)
    check(data(body, "classes") == ["no", "yes"], "the names of classes", body)
    check(all(abs(shares[i] + shares[i + 1] - 1) < 1e-9 for i in (0, 2, 4)), "shares", shares)
    answer = body[1]
    check(answer["id"] == "42" and answer["model_name"] == model, "names", answer)
    check(answer["model_version"] == "0", "the version is a text", answer)
    check([one["name"] for one in answer["outputs"]] == ["label", "probabilities", "classes"],
          "the outputs asked for", answer)
    check("id" not in client.infer(path, every)[1], "no id without one")


def binary(client, model):
    """The extension that clients of the protocol use by default."""
    text = b"b"
    parts = [struct.pack("<ff", 1.5, float("nan")),
             struct.pack("<i", len(text)) + text + struct.pack("<i", 1) + b"a"]
    head = json.dumps({
        "parameters": {"binary_data_output": True},
        "inputs": [{"name": "real", "datatype": "FP32", "shape": [2],
                    "parameters": {"binary_data_size": len(parts[0])}},
                   {"name": "text", "datatype": "BYTES", "shape": [2],
                    "parameters": {"binary_data_size": len(parts[1])}}],
        "outputs": [{"name": "raw_scores"}, {"name": "label"}]}).encode()
    status, headers, body = client.call(
        f"/v2/models/{model}/infer", head + b"".join(parts),
        {"Content-Type": "application/octet-stream",
         "Inference-Header-Content-Length": str(len(head))})
    check(status == 200, "binary inference", body)
    length = int(headers["Inference-Header-Content-Length"])
    answer, rest = json.loads(body[:length]), body[length:]
    sizes = [one["parameters"]["binary_data_size"] for one in answer["outputs"]]
    check(sum(sizes) == len(rest), "sizes of binary outputs", sizes)
    check(struct.unpack("<2d", rest[:16]) == (48.0, 0.0), "binary scores", rest)
    check(rest[16:] == struct.pack("<i", 3) + b"yes" + struct.pack("<i", 2) + b"no", "labels", rest)


def errors(client, model):
    path = "/v2/models/" + model
    good = tensor("real", "FP64", [1.5])

    def refused(expected, answer):
        status, body = answer
        check(status == expected and list(body) == ["error"] and body["error"], "refused", answer)

    refused(404, client.get("/v2/models/none"))
    refused(404, client.get("/v2/models/none/ready"))
    refused(404, client.get(path + "/versions/7"))
    refused(404, client.get(path + "/versions/x/ready"))
    refused(404, client.get("/v2/nothing"))
    refused(405, client.get(path + "/infer"))
    refused(404, client.infer("/v2/models/none", [good]))
    refused(404, client.infer(path + "/versions/7", [good]))
    refused(400, client.infer(path, []))
    refused(400, client.infer(path, [good, good]))
    refused(400, client.infer(path, [good, tensor("small", "INT8", [1, 2])]))
    refused(400, client.infer(path, [tensor("none", "FP64", [1.5])]))
    refused(400, client.infer(path, [good], outputs=[{"name": "none"}]))
    refused(400, client.infer(path, [good], id=42))
    refused(413, client.infer(path, [tensor("real", "FP64", [1.5] * 1001)]))
    for name, datatype, value, shape in (
            ("real", "FP64", [1.5], [2]), ("real", "FP64", [1.5], [1, 2]), ("real", "FP64", [], [0]),
            ("real", "FP64", [1.5], [-1]), ("real", "FP64", [1.5], []), ("real", "FP65", [1.5], [1]),
            ("real", "FP64", ["1.5"], [1]), ("real", "BYTES", ["1.5"], [1]),
            ("small", "INT8", [128], [1]), ("small", "UINT8", [-1], [1]), ("small", "INT8", [1.5], [1]),
            ("truth", "BOOL", [1], [1]), ("truth", "FP64", [1], [1]), ("kind", "BYTES", ["c"], [1]),
            ("text", "BYTES", [1], [1]), ("day", "BYTES", ["soon"], [1]),
            ("real", "FP64", [float("inf")], [1])):
        refused(400, client.infer(path, [tensor(name, datatype, value, shape)]))
    for body in (b"", b"{", b"[]", b"3", b"{\"inputs\": 3}", b"{\"inputs\": [3]}", b"\xff\xfe\x00"):
        status, _, said = client.call(path + "/infer", body)
        refused(400, (status, json.loads(said)))
    for length in ("-1", "x", "1000"):
        status, _, said = client.call(
            path + "/infer", b"{}", {"Inference-Header-Content-Length": length})
        refused(400, (status, json.loads(said)))


def main():
    client, model = Client(sys.argv[1]), sys.argv[2]
    server(client)
    metadata(client, model)
    inference(client, model)
    binary(client, model)
    errors(client, model)
    print("all as the protocol says")


main()
