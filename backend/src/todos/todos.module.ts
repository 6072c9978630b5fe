import { Module } from '@nestjs/common';
import type { SliceParts } from '../platform/slice.js';
import { TodoAnswers } from './todo-answers.js';
import { TodosController } from './todos.controller.js';
import { todoHandlers } from './todos.handlers.js';
import { TodosPushes } from './todos.pushes.js';
import { TodosQueries } from './todos.queries.js';

@Module({ controllers: [TodosController], providers: [TodoAnswers, TodosPushes, ...todoHandlers], exports: [TodosPushes] })
export class TodosModule {}

export const parts: SliceParts = { module: TodosModule, doors: [TodosQueries], pushes: [TodosPushes] };
