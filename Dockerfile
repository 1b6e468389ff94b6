# syntax=docker/dockerfile:1
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY . .
# Nothing here needs a package's install script.
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts
RUN npm run generate && npm run build
# What runs needs neither the build tools nor the Postgres that `npm start` carries along.
RUN --mount=type=cache,target=/root/.npm npm prune --omit=dev --omit=optional --ignore-scripts

FROM node:24-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/prisma ./prisma
COPY --from=build /app/packages ./packages
COPY --from=build /app/apps ./apps
# Recordings lie here. A named volume takes over the owner.
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
ENTRYPOINT ["node"]
CMD ["apps/api/dist/main.js"]
