# Witan in an image: built from this checkout, run as an ordinary user, with bubblewrap for commands that agents run.
#   docker build -t witan .
#   docker run --rm -it -v witan-home:/home/node/.witan -v "$PWD":/work witan demo
# Confinement needs user namespaces inside the container; without them `witan doctor` says that commands are refused.

FROM node:22-bookworm-slim AS build
WORKDIR /src
COPY . .
RUN npm ci --no-audit --no-fund
RUN npm prune --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:22-bookworm-slim
RUN apt-get update \
  && apt-get install --yes --no-install-recommends bubblewrap ca-certificates git \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /opt/witan
COPY --from=build /src/package.json /src/README.md /src/LICENSE ./
COPY --from=build /src/bin ./bin
COPY --from=build /src/data ./data
COPY --from=build /src/dist ./dist
COPY --from=build /src/spec ./spec
COPY --from=build /src/node_modules ./node_modules
RUN ln -s /opt/witan/bin/witan.js /usr/local/bin/witan \
  && mkdir -p /home/node/.witan /work \
  && chown node:node /home/node/.witan /work \
  && chmod 700 /home/node/.witan
USER node
ENV WITAN_HOME=/home/node/.witan
VOLUME ["/home/node/.witan"]
WORKDIR /work
ENTRYPOINT ["witan"]
CMD ["--help"]
