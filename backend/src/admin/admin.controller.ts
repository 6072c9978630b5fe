import { All, Controller } from '@nestjs/common';
import { Refused } from '../kernel/refusal.js';
import { AdminKeyOnly } from '../platform/auth/admin-key.guard.js';

/** Every other path below the admin key: without the right key all of them are 401, so existing paths are not revealed. */
@Controller('api/admin/:key')
@AdminKeyOnly()
export class AdminController {
  @All('*')
  nothing(): never {
    throw new Refused('route.not-found');
  }
}
