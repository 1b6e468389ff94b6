# syntax=docker/dockerfile:1
# Only the files that the installation depends on: the npm ci layer stays cached until one of them changes.
FROM node:24-bookworm-slim AS manifests
WORKDIR /app
COPY . .
RUN find . -type f ! -name package.json ! -path ./package-lock.json ! -path ./.npmrc -delete && find . -type d -empty -delete

FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY --from=manifests /app ./
# No package needs its install script here.
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts
COPY . .
RUN npm run generate && npm run build
# The runtime needs neither the build tools nor the Postgres binaries of `npm start`.
RUN --mount=type=cache,target=/root/.npm npm prune --omit=dev --omit=optional --ignore-scripts

FROM node:24-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/prisma ./prisma
COPY --from=build /app/packages ./packages
COPY --from=build /app/apps ./apps
COPY --from=build /app/docs/dist ./docs/dist
# The folder of the recordings. A named volume inherits its owner.
RUN mkdir /data && chown node:node /data
# As numbers: Kubernetes cannot tell whether a name is root.
USER 1000:1000
VOLUME /data
EXPOSE 3000
ENTRYPOINT ["node"]
CMD ["apps/api/dist/main.js"]
