# docker build --tag icml2008 . && docker run --volume "$PWD/results:/icml2008/results" icml2008
FROM python:3.11.7-slim-bookworm
WORKDIR /icml2008
# Data that were fetched, as long as the container lives; name a volume to keep them.
ENV ICML2008_CACHE=/icml2008/cache
COPY requirements.lock ./
RUN pip install --no-cache-dir --require-hashes --requirement requirements.lock
COPY . .
RUN pip install --no-cache-dir --no-deps --no-build-isolation --editable .
CMD ["snakemake", "--cores", "all"]
