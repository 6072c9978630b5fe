import { Module } from '@nestjs/common';
import type { SliceParts } from '../platform/slice.js';
import { PushContent } from './push-content.js';
import { PushDelivery } from './push-delivery.js';
import { PushDeliveryLoop } from './push-delivery-loop.js';
import { PushWhenNotified } from './push-when-notified.reactor.js';
import { PushChores } from './push.chores.js';
import { PushController } from './push.controller.js';

@Module({ controllers: [PushController], providers: [PushChores, PushContent, PushDelivery, PushDeliveryLoop, PushWhenNotified] })
export class PushModule {}

export const parts: SliceParts = {
  module: PushModule,
  reactors: [PushWhenNotified],
  loops: [PushDeliveryLoop],
  chores: [PushChores],
};
