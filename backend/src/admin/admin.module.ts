import { Module } from '@nestjs/common';
import { AdminController } from './admin.controller.js';
import { MailController } from './mail.controller.js';
import { ProjectionsController } from './projections.controller.js';
import { ReactorsController } from './reactors.controller.js';

@Module({ controllers: [ProjectionsController, ReactorsController, MailController, AdminController] })
export class AdminModule {}
