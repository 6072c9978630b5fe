import { Module } from '@nestjs/common';
import type { SliceParts } from '../platform/slice.js';
import { PushController } from './push.controller.js';

@Module({ controllers: [PushController] })
export class PushModule {}

export const parts: SliceParts = { module: PushModule };
