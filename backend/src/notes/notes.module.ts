import { Module } from '@nestjs/common';
import type { SliceParts } from '../platform/slice.js';
import { NotesPushes } from './notes.pushes.js';
import { NotesQueries } from './notes.queries.js';

@Module({ providers: [NotesPushes], exports: [NotesPushes] })
export class NotesModule {}

export const parts: SliceParts = { module: NotesModule, doors: [NotesQueries], pushes: [NotesPushes] };
