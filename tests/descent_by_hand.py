"""The papers' pseudo-code once more, in NumPy, for losses of a flat vector. It uses nothing of the package."""

import numpy as np


class Flat:
    """A loss on R^n with central differences of its gradient as the Hessian."""

    def __init__(self, loss, gradient):
        self.loss, self.gradient = loss, gradient

    def hessian(self, x):
        h = 1e-5
        columns = [(self.gradient(x + h * e) - self.gradient(x - h * e)) / (2 * h) for e in np.eye(x.size)]
        return (np.array(columns) + np.array(columns).T) / 2

    def least(self, x):
        values, vectors = np.linalg.eigh(self.hessian(x))
        return values[0], vectors[:, 0]

    def move(self, x, v):
        return x + v


class Round:
    """xᵀAx on the unit sphere, by the textbook formulas for its gradient and Hessian."""

    def __init__(self, matrix):
        self.matrix = matrix

    def loss(self, x):
        return x @ self.matrix @ x

    def gradient(self, x):
        return 2 * (self.matrix @ x - self.loss(x) * x)

    def least(self, x):
        p = np.eye(x.size) - np.outer(x, x)
        # the normal direction gets an eigenvalue above all others
        hessian = 2 * p @ (self.matrix - self.loss(x) * np.eye(x.size)) @ p + 1e3 * np.outer(x, x)
        values, vectors = np.linalg.eigh(hessian)
        return values[0], vectors[:, 0]

    def move(self, x, v):
        return (x + v) / np.linalg.norm(x + v)


def hessian_descent(problem, x, alpha):
    """One step of prsz18 Algorithm 1, with the sign that its proof uses: along v so that the gradient does not rise."""
    value, vector = problem.least(x)
    if value >= 0:
        return x
    slope = problem.gradient(x) @ vector
    if abs(slope) < 1e-9:  # the sign of 0 is +1, for the vector whose largest entry is positive
        vector = vector * np.sign(vector[np.argmax(np.abs(vector))])
        slope = 1.0
    return problem.move(x, alpha * value * np.sign(slope) * vector)


def second_gd(problem, x, steps, alpha, eta, gamma, share=0.5):
    """Algorithm 2 of prsz18: all points from x_0 to the one that it returns, and whether it returned by its rule."""
    path = [x]
    for _ in range(steps):
        gradient = problem.gradient(x)
        if np.linalg.norm(gradient) >= eta:
            ahead = problem.move(x, -alpha * gradient)
        else:
            ahead = hessian_descent(problem, x, alpha)
        if problem.loss(ahead) >= problem.loss(x) - min(alpha * eta**2 / 2, share * alpha**2 * gamma**3):
            return np.array(path), True
        x = ahead
        path.append(x)
    return np.array(path), False


def gaussian_field(sites, charges):
    """C(θ) = Σ qⱼ exp(−‖θ − sⱼ‖²/2) and its gradient."""

    def field(theta):
        differences = theta - sites
        weights = charges * np.exp(-np.sum(differences**2, axis=1) / 2)
        return np.sum(weights), -weights @ differences

    return field


def node_with_charge(field):
    """a² + 2aC(θ) as a loss of (θ, a)."""

    def loss(x):
        return x[-1] ** 2 + 2 * x[-1] * field(x[:-1])[0]

    def gradient(x):
        value, slope = field(x[:-1])
        return np.append(2 * x[-1] * slope, 2 * x[-1] + 2 * value)

    return Flat(loss, gradient)


def node_at_its_best(field):
    """−C(θ)² as a loss of θ: what is left when a = −C(θ)."""
    return Flat(lambda x: -(field(x)[0] ** 2), lambda x: -2 * field(x)[0] * field(x)[1])


def gram(points, others):
    return np.exp(-np.sum((points[:, None] - others[None]) ** 2, axis=-1) / 2)
