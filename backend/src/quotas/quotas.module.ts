import { Module } from '@nestjs/common';
import type { SliceParts } from '../platform/slice.js';
import { QuotasQueries } from './quotas.queries.js';

@Module({})
export class QuotasModule {}

export const parts: SliceParts = { module: QuotasModule, doors: [QuotasQueries] };
