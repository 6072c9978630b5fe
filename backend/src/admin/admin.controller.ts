import { All, Controller } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Refused } from '../kernel/refusal.js';
import { AdminKeyOnly } from '../platform/auth/admin-key.guard.js';

/** Every path below the admin key that no slice serves: without the right key nobody learns which those are. */
@ApiExcludeController()
@Controller('api/admin/:key')
@AdminKeyOnly()
export class AdminController {
  @All('*')
  nothing(): never {
    throw new Refused('route.not-found');
  }
}
