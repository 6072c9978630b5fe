import { All, Controller } from '@nestjs/common';
import { Refused } from '../kernel/refusal.js';
import { AdminKeyOnly } from '../platform/auth/admin-key.guard.js';

/** Every path below the admin key that no slice serves: without the right key nobody learns which those are. */
@Controller('api/admin/:key')
@AdminKeyOnly()
export class AdminController {
  @All('*')
  nothing(): never {
    throw new Refused('route.not-found');
  }
}
