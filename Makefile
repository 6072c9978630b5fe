# Needs Node 20.19 or newer and make. `make run` shows Roughmix with demo songs, `make test` proves it. `make up` needs Docker alone.
.PHONY: run test dev build up clean node-version
.DEFAULT_GOAL := run

run: build
	node backend/dist/main.js --demo

test: node_modules/.package-lock.json
	npm test

dev: node_modules/.package-lock.json
	npm run dev

build: node_modules/.package-lock.json
	npm run build

# On real servers, all on this machine: docs/real-servers.md. Containers read the mounted files as other users than the owner of the checkout.
up: export COMMIT = $(shell git rev-parse --short=7 HEAD 2>/dev/null)
up:
	@docker compose version >/dev/null 2>&1 || { echo "make up needs Docker with Compose 2.24.4 or newer, as the command docker compose (not docker-compose 1.29)." >&2; exit 1; }
	chmod -R a+rX infra/compose infra/prometheus infra/grafana
	docker compose build keys
	docker compose up -d
	@echo "Roughmix is at http://localhost:3000, its e-mails at http://localhost:8025 (user and password: docker compose exec -T mail cat /run/keys/ui-auth). The secret admin key: docker compose exec -T web-1 cat /run/keys/admin-key"

# npm writes this file at the end of an installation, so a broken-off one is done again.
node_modules/.package-lock.json: package-lock.json | node-version
	npm ci --no-audit --no-fund
	@touch $@

node-version:
	@node -e 'const [a, b] = process.versions.node.split(".").map(Number); if (a < 20 || (a === 20 && b < 19)) { console.error("Roughmix needs Node 20.19 or newer; this is " + process.version + ". See https://nodejs.org"); process.exit(1); }' \
	  || { command -v node >/dev/null || echo "Roughmix needs Node 20.19 or newer, and there is no node on the PATH. See https://nodejs.org" >&2; exit 1; }

clean:
	rm -rf contracts/dist backend/dist frontend/dist coverage
