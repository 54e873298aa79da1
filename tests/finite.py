"""Networks of finite width, written from the definitions (3.2), (3.3) and that of the convolutional ResNet alone."""

import itertools

import jax
import jax.numpy as jnp
import numpy as np


def draw(key, net, x, width):
    """Standard Gaussian weights, biases and read-out of a network for inputs of the shape of x."""
    convolutional = hasattr(net, "patch")
    q = 1
    pixels = 1
    if convolutional:
        size = net.patch if isinstance(net.patch, tuple) else (net.patch,) * (x.ndim - 2)
        q = int(np.prod(size))
        pixels = int(np.prod([-(-n // net.stride) for n in x.shape[2:]]))
    fan_in = [x.shape[1] * q] + [width * q] * (net.depth - 1)
    keys = jax.random.split(key, 2 * net.depth + 2)
    weights = [jax.random.normal(keys[h], (width, n)) for h, n in enumerate(fan_in)]
    biases = [jax.random.normal(keys[net.depth + h], (width, 1)) for h in range(net.depth)]
    readout = jax.random.normal(keys[-2], (width, pixels))
    return {"weights": weights, "biases": biases, "readout": readout, "offset": jax.random.normal(keys[-1], ())}


def columns(image, size, stride):
    """φ: one column of numbers for every patch, by padding and looking."""
    channels, *shape = image.shape
    padded = jnp.pad(image, [(0, 0), *[(s // 2, s - 1 - s // 2) for s in size]])
    index = np.arange(padded[0].size).reshape(padded.shape[1:])
    corners = itertools.product(*[range(0, n, stride) for n in shape])
    patches = [index[tuple(slice(c, c + s) for c, s in zip(corner, size, strict=True))].ravel() for corner in corners]
    seen = padded.reshape(channels, -1)[:, np.array(patches)]
    return seen.transpose(0, 2, 1).reshape(-1, len(patches)), tuple(-(-n // stride) for n in shape)


def features(net, params, x, width, c_sigma):
    """X^1, …, X^H = √m·x^(h) of one input, each of shape (width, pixels)."""
    convolutional = hasattr(net, "patch")
    shape = x.shape[1:] if convolutional else ()
    image = x if convolutional else x[:, None]
    found = []
    for h, (w, b) in enumerate(zip(params["weights"], params["biases"], strict=True)):
        stride = net.stride if convolutional and h == 0 else 1
        if convolutional:
            size = net.patch if isinstance(net.patch, tuple) else (net.patch,) * len(shape)
            seen, shape = columns(image.reshape(-1, *shape), size, stride)
        else:
            seen = image
        thesis = net.parameterization == "thesis"
        root = jnp.sqrt(width) if thesis and h else (1.0 if thesis else jnp.sqrt(w.shape[1]))
        out = net.activation.function(net.weight_std * (w @ seen) / root + net.bias_std * b)
        residual = hasattr(net, "c_res") and h > 0
        scale = net.c_res / net.depth if residual else (np.sqrt(c_sigma) if thesis else 1.0)
        image = out * scale + (found[-1] if residual else 0.0)
        found.append(image)
        if convolutional:
            image = image.reshape(width, *shape)
    return found


def output(net, params, x, width, c_sigma):
    last = features(net, params, x, width, c_sigma)[-1]
    pixels = 1 if net.parameterization == "thesis" else last.shape[1]
    value = net.weight_std * jnp.sum(params["readout"] * last) / jnp.sqrt(width * pixels)
    return value + net.bias_std * params["offset"]


def gram_matrices(net, key, x, width, c_sigma):
    """G^(1), …, G^(H+1) of one draw: inner products of the gradients in each layer's parameters."""
    params = draw(key, net, x, width)
    g = jax.vmap(jax.grad(lambda p, one: output(net, p, one, width, c_sigma)), (None, 0))(params, jnp.asarray(x))
    layers = [[g["weights"][h], g["biases"][h]] for h in range(net.depth)] + [[g["readout"], g["offset"][:, None]]]
    rows = [[part.reshape(len(x), -1) for part in layer] for layer in layers]
    return jnp.stack([sum(part @ part.T for part in layer) for layer in rows])


def sizes(net, x):
    """The shape of the images after the first layer."""
    return tuple(-(-n // net.stride) for n in x.shape[2:]) if hasattr(net, "patch") else ()


def seen(net, feature, shape):
    """What the next layer sees of a feature of shape (width, pixels)."""
    if not shape:
        return np.asarray(feature)
    size = net.patch if isinstance(net.patch, tuple) else (net.patch,) * len(shape)
    return np.asarray(columns(feature.reshape(-1, *shape), size, 1)[0])
