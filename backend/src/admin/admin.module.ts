import { Module } from '@nestjs/common';
import type { SliceParts } from '../platform/slice.js';
import { AdminController } from './admin.controller.js';
import { MailController } from './mail.controller.js';
import { ProjectionsController } from './projections.controller.js';
import { ReactorsController } from './reactors.controller.js';

@Module({ controllers: [ProjectionsController, ReactorsController, MailController, AdminController] })
export class AdminModule {}

export const parts: SliceParts = { module: AdminModule };
