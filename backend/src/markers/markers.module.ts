import { Module } from '@nestjs/common';
import type { SliceParts } from '../platform/slice.js';
import { MarkersController } from './markers.controller.js';

@Module({ controllers: [MarkersController] })
export class MarkersModule {}

export const parts: SliceParts = { module: MarkersModule };
