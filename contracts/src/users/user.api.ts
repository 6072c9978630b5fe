import { IsBoolean, IsIn, IsString } from 'class-validator';
import { FiniteNumber, IdField, MaxLength, Name, Nested, NotBlank, Optional, OrNull, PersonName, Prose } from '../shared/body.js';
import { LIMITS } from '../shared/limits.js';
import type { StaffRole } from './user.view.js';

/** POST /api/auth/login. `timeZone` is the browser's IANA time zone. */
export class LoginBody {
  @IsString()
  @MaxLength(LIMITS.email)
  email: string;
  @IsString()
  @MaxLength(1_000)
  password: string;
  @Optional()
  @IsString()
  @MaxLength(64)
  timeZone?: string;
}

/** POST /api/auth/guest and /api/auth/invite/{token}. */
export class SessionBody {
  @Optional()
  @IsString()
  @MaxLength(64)
  timeZone?: string;
}

/** Calls without fields. */
export class EmptyBody {}

/** POST /api/auth/passwordReset */
export class RequestResetBody {
  @IsString()
  @MaxLength(1_000)
  email: string;
}

/** POST /api/auth/passwordReset/{token} */
export class ResetPasswordBody {
  @IsString()
  @MaxLength(1_000)
  newPassword: string;
}

/** POST /api/auth/password */
export class ChangePasswordBody {
  @IsString()
  @MaxLength(1_000)
  currentPassword: string;
  @IsString()
  @MaxLength(1_000)
  newPassword: string;
}

/** POST /api/auth/visit: a path, or a URL under PUBLIC_URL. */
export class VisitBody {
  @IsString()
  @MaxLength(2_000)
  href: string;
}

export class UserInfoBody {
  @Optional()
  @Prose(LIMITS.location, 'limit.info')
  location?: string;
  @Optional()
  @Prose(LIMITS.about, 'limit.info')
  about?: string;
  @Optional()
  @Prose(LIMITS.influences, 'limit.info')
  influences?: string;
}

export class PushSettingsBody {
  @Optional()
  @IsBoolean()
  enabled?: boolean;
  @Optional()
  @IsBoolean()
  directMessages?: boolean;
  @Optional()
  @IsBoolean()
  todoReminders?: boolean;
  @Optional()
  @IsBoolean()
  mentions?: boolean;
  @Optional()
  @IsBoolean()
  replies?: boolean;
  @Optional()
  @IsBoolean()
  invitations?: boolean;
  @Optional()
  @IsBoolean()
  activity?: boolean;
}

export class MailSettingsBody {
  @Optional()
  @IsBoolean()
  todoReminders?: boolean;
  @Optional()
  @IsBoolean()
  digest?: boolean;
}

export class ProfileSettingsBody {
  @Optional()
  @IsBoolean()
  hideFromSearch?: boolean;
  @Optional()
  @IsBoolean()
  noindex?: boolean;
}

export class UserSettingsBody {
  @Optional()
  @Nested(() => PushSettingsBody)
  pushNotifs?: PushSettingsBody;
  @Optional()
  @Nested(() => MailSettingsBody)
  mailNotifs?: MailSettingsBody;
  @Optional()
  @Nested(() => ProfileSettingsBody)
  profile?: ProfileSettingsBody;
}

/** PUT /api/users/{id}. `newPassword` makes it the welcome form. */
export class EditUserBody {
  @Optional()
  @PersonName(LIMITS.personName, 'limit.firstName')
  firstName?: string;
  @Optional()
  @PersonName(LIMITS.personName, 'limit.lastName')
  lastName?: string;
  @Optional()
  @Name(LIMITS.username, 'limit.username')
  username?: string;
  @Optional()
  @Nested(() => UserInfoBody)
  info?: UserInfoBody;
  @Optional()
  @Nested(() => UserSettingsBody)
  settings?: UserSettingsBody;
  @Optional()
  @IsString()
  @MaxLength(1_000)
  newPassword?: string;
}

/** A rectangle in pixels of the upright image. */
export class CropBody {
  @FiniteNumber()
  x: number;
  @FiniteNumber()
  y: number;
  @FiniteNumber()
  width: number;
  @FiniteNumber()
  height: number;
}

/** PUT /api/users/{id}/photo and /cover. Without a crop, the largest centred rectangle is taken. */
export class UserImageBody {
  @IdField()
  uploadId: string;
  @Optional()
  @Nested(() => CropBody)
  crop?: CropBody;
}

/** POST /api/admin/{key}/users/getUserInfo: a uid or an e-mail address. */
export class AccountBody {
  @IsString()
  @MaxLength(1_000)
  uid: string;
}

/** POST /api/admin/{key}/users/removeUser: a uid or an e-mail address. */
export class RemoveUserBody {
  @IsString()
  @MaxLength(1_000)
  @NotBlank()
  uid: string;
}

/** PUT /api/admin/{key}/users/{uid}/staffRole */
export class StaffRoleBody {
  @OrNull()
  @IsIn(['admin', 'support', 'analyst'])
  staffRole: StaffRole | null;
}

/** POST /api/admin/{key}/users/addUser. Each invalid field is refused with a code of its own. */
export class AddUserBody {
  @IsString()
  @MaxLength(1_000)
  email: string;
  @IsString()
  @MaxLength(1_000)
  password: string;
  @Optional()
  @PersonName(LIMITS.personName, 'limit.firstName')
  firstName?: string;
  @Optional()
  @PersonName(LIMITS.personName, 'limit.lastName')
  lastName?: string;
  @Optional()
  @Name(LIMITS.username, 'limit.username')
  username?: string;
}

/** POST /api/auth/firstAccount: the token that the program printed, and the account's address and password. */
export class FirstAccountBody extends LoginBody {
  @IsString()
  @MaxLength(1_000)
  token: string;
}

/** POST /api/admin/{key}/users/erase: the person, by uid or e-mail address. */
export class EraseUserBody {
  @IsString()
  @MaxLength(1_000)
  user: string;
}
