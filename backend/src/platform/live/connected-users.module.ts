import { Global, Module } from '@nestjs/common';
import type { Config } from '../config/config.js';
import type { Logger } from '../logger.js';
import { CONFIG, LOG, VAULT } from '../tokens.js';
import type { Vault } from '../vault/vault.js';
import { ConnectedUsers } from './connected-users.js';
import { PresenceElsewhere } from './presence-elsewhere.js';

/** Only a vault on a server is shared with other processes. */
const presenceElsewhere = ({ MONGO_URL }: Config, vault: Vault, log: Logger): PresenceElsewhere =>
  new PresenceElsewhere(MONGO_URL === null ? null : vault, log);

/** Presence across processes, also for those without sockets. */
@Global()
@Module({
  providers: [{ provide: PresenceElsewhere, useFactory: presenceElsewhere, inject: [CONFIG, VAULT, LOG] }, ConnectedUsers],
  exports: [PresenceElsewhere, ConnectedUsers],
})
export class ConnectedUsersModule {}
