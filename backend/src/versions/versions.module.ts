import { Module } from '@nestjs/common';
import type { SliceParts } from '../platform/slice.js';
import { VersionsPushes } from './versions.pushes.js';
import { VersionsQueries } from './versions.queries.js';

@Module({ providers: [VersionsPushes], exports: [VersionsPushes] })
export class VersionsModule {}

export const parts: SliceParts = { module: VersionsModule, doors: [VersionsQueries], pushes: [VersionsPushes] };
