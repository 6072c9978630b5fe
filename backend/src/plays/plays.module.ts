import { Module } from '@nestjs/common';
import type { SliceParts } from '../platform/slice.js';
import { ListeningSessions } from './listening-sessions.js';
import { PlaysController } from './plays.controller.js';
import { PlaysQueries } from './plays.queries.js';

@Module({ controllers: [PlaysController], providers: [PlaysQueries, ListeningSessions], exports: [ListeningSessions] })
export class PlaysModule {}

export const parts: SliceParts = { module: PlaysModule, messages: [ListeningSessions] };
