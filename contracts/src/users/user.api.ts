import { IsString, MaxLength } from 'class-validator';
import { Optional } from '../shared/body.js';
import { LIMITS } from '../shared/limits.js';

/** POST /api/auth/login. `zone` is the browser's IANA time zone. */
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
  zone?: string;
}

/** POST /api/auth/guest and /api/auth/logout: no fields. */
export class EmptyBody {}

/** POST /api/admin/{key}/users/addUser. Each invalid field is refused with a code of its own. */
export class AddUserBody {
  @IsString()
  @MaxLength(1_000)
  email: string;
  @IsString()
  @MaxLength(1_000)
  password: string;
  @Optional()
  @IsString()
  @MaxLength(LIMITS.personName)
  firstName?: string;
  @Optional()
  @IsString()
  @MaxLength(LIMITS.personName)
  lastName?: string;
  @Optional()
  @IsString()
  @MaxLength(1_000)
  username?: string;
}

/** POST /api/admin/{key}/users/erase: the person, by uid or e-mail address. */
export class EraseUserBody {
  @IsString()
  @MaxLength(1_000)
  user: string;
}
