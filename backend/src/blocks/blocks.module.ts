import { Module } from '@nestjs/common';
import type { SliceParts } from '../platform/slice.js';
import { BlocksController } from './blocks.controller.js';
import { ChangeBlockHandler } from './blocks.handlers.js';
import { BlocksQueries } from './blocks.queries.js';

@Module({ controllers: [BlocksController], providers: [ChangeBlockHandler] })
export class BlocksModule {}

export const parts: SliceParts = { module: BlocksModule, doors: [BlocksQueries] };
