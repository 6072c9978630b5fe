import { Module } from '@nestjs/common';
import type { SliceParts } from '../platform/slice.js';
import { UsersModule } from '../users/users.module.js';
import { AdminInquiriesController } from './admin-inquiries.controller.js';
import { EmailOperatorWhenAsked } from './email-operator-when-asked.reactor.js';
import { InquiriesChores } from './inquiries.chores.js';
import { InquiriesController } from './inquiries.controller.js';
import { inquiryHandlers } from './inquiries.handlers.js';
import { InquiriesQueries } from './inquiries.queries.js';
import { InquiryErasure } from './inquiry-erasure.streams.js';
import { InquiryStreams } from './inquiry.streams.js';
import { StaffInquiriesController } from './staff-inquiries.controller.js';

@Module({
  imports: [UsersModule],
  controllers: [InquiriesController, AdminInquiriesController, StaffInquiriesController],
  providers: [InquiriesQueries, InquiriesChores, EmailOperatorWhenAsked, ...inquiryHandlers],
})
export class InquiriesModule {}

export const parts: SliceParts = {
  module: InquiriesModule,
  doors: [InquiryStreams, InquiryErasure],
  reactors: [EmailOperatorWhenAsked],
  chores: [InquiriesChores],
};
