import { Module } from '@nestjs/common';
import type { SliceParts } from '../platform/slice.js';
import { StaffQueries } from './staff.queries.js';
import { StaffStreams } from './staff.streams.js';

@Module({})
export class StaffModule {}

export const parts: SliceParts = { module: StaffModule, doors: [StaffStreams, StaffQueries] };
