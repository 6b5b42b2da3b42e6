# fabricgen as an image, with git for `diff` against a revision and ssh-keygen for signed approvals of `push`:
#
#   docker build -t fabricgen .
#   docker run --rm -u "$(id -u):$(id -g)" -v "$PWD:/site" fabricgen validate intent.yaml
#
# With -u it writes as you, and git trusts the repository, which is yours. The lab needs root and the host's kernel:
# run it on the host.
FROM python:3.12-slim AS build
COPY . /src
RUN python -m venv /opt/fabricgen \
 && /opt/fabricgen/bin/python -m pip install --no-cache-dir --require-hashes -r /src/requirements.txt \
 && /opt/fabricgen/bin/python -m pip install --no-cache-dir --no-deps /src

FROM python:3.12-slim
RUN apt-get update \
 && apt-get install --yes --no-install-recommends git openssh-client \
 && rm -rf /var/lib/apt/lists/*
COPY --from=build /opt/fabricgen /opt/fabricgen
ENV PATH=/opt/fabricgen/bin:$PATH
RUN useradd --create-home fabricgen
USER fabricgen
WORKDIR /site
ENTRYPOINT ["fabricgen"]
CMD ["--help"]
