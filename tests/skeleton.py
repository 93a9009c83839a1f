"""skeleton.py: turns as quaternions x y z w, and small glTF files, for the evaluators of mirror.py, retarget.py and root.py."""
import base64, json, math, random, struct

def mul(a, b):
    return [a[3]*b[0]+a[0]*b[3]+a[1]*b[2]-a[2]*b[1], a[3]*b[1]+a[1]*b[3]+a[2]*b[0]-a[0]*b[2],
            a[3]*b[2]+a[2]*b[3]+a[0]*b[1]-a[1]*b[0], a[3]*b[3]-a[0]*b[0]-a[1]*b[1]-a[2]*b[2]]
def inv(q): return [-q[0], -q[1], -q[2], q[3]]
def turn(q, v): return mul(mul(q, list(v) + [0]), inv(q))[:3]
def unit(q): n = math.sqrt(sum(x*x for x in q)); return [x / n for x in q]
def some(): return unit([random.gauss(0, 1) for _ in range(4)])

class Model:
    """Nodes and one animation "go", to be saved as a .gltf."""
    def __init__(self):
        self.nodes, self.data, self.views, self.accessors, self.channels, self.samplers = [], b"", [], [], [], []

    def put(self, numbers, lanes):
        self.views.append({"buffer": 0, "byteOffset": len(self.data), "byteLength": 4 * len(numbers)})
        self.data += struct.pack("<%df" % len(numbers), *numbers)
        row = {"bufferView": len(self.views) - 1, "componentType": 5126, "count": len(numbers) // lanes, "type": {1: "SCALAR", 3: "VEC3", 4: "VEC4"}[lanes]}
        if lanes == 1: row["min"], row["max"] = [numbers[0]], [numbers[-1]]
        self.accessors.append(row)
        return len(self.accessors) - 1

    def drive(self, node, path, times, numbers, lanes, mode="LINEAR"): # times: an accessor
        self.samplers.append({"input": times, "output": self.put(numbers, lanes), "interpolation": mode})
        self.channels.append({"sampler": len(self.samplers) - 1, "target": {"node": node, "path": path}})

    def save(self, file):
        json.dump({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": self.nodes, "accessors": self.accessors,
                   "bufferViews": self.views, "animations": [{"name": "go", "channels": self.channels, "samplers": self.samplers}],
                   "buffers": [{"byteLength": len(self.data), "uri": "data:application/octet-stream;base64," + base64.b64encode(self.data).decode()}]}, open(file, "w"))
