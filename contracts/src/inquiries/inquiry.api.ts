import { IsBoolean, IsString, Matches } from 'class-validator';
import { Line, MaxLength, Optional, Prose } from '../shared/body.js';
import { LIMITS } from '../shared/limits.js';

/** POST /api/inviteRequests */
export class InviteRequestBody {
  @IsString()
  @MaxLength(1_000)
  email: string;
}

/** POST /api/contact. Names may contain spaces. */
export class ContactBody {
  @Prose(LIMITS.personName, 'limit.firstName')
  @Matches(/\S/)
  firstName: string;
  @Prose(LIMITS.personName, 'limit.lastName')
  @Matches(/\S/)
  lastName: string;
  /** The sender's e-mail address. */
  @IsString()
  @MaxLength(1_000)
  reply_to: string;
  @Optional()
  @Prose(LIMITS.fullName, 'limit.fullName')
  fullName?: string;
  @Optional()
  @Line(LIMITS.company, 'request.invalid')
  company?: string;
  @Optional()
  @Line(LIMITS.phone, 'request.invalid')
  phone?: string;
  @Optional()
  @IsBoolean()
  subscribe?: boolean;
  @Optional()
  @Prose(LIMITS.contactMessage, 'limit.message_content')
  message_content?: string;
}
