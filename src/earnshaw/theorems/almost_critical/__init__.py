"""What the theorems about descent under almost λ-harmonic potentials share: instances, points, descents."""
