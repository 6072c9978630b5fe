import { Global, Module } from '@nestjs/common';
import type { Config } from '../config/config.js';
import { Outbound } from '../outbound/outbound.js';
import { CONFIG } from '../tokens.js';
import { PushQueue } from './push-queue.js';
import { PushSubscriptions } from './push-subscriptions.js';
import { WebPush } from './web-push.js';

const outbound = ({ OUTBOUND, OUTBOUND_ALLOW }: Config): Outbound => new Outbound({ mode: OUTBOUND, allowed: OUTBOUND_ALLOW ?? [] });

const parts = [PushSubscriptions, PushQueue, WebPush];

/** Push messages to browsers: who gets them, which ones wait, and how they are sent. Needs VAULT, CONFIG, CLOCK and VaultKeys from outside. */
@Global()
@Module({ providers: [{ provide: Outbound, useFactory: outbound, inject: [CONFIG] }, ...parts], exports: parts })
export class WebPushModule {}
