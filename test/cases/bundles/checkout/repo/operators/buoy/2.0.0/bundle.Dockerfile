FROM scratch
COPY manifests /manifests/
