import { IsInt, IsString, Matches } from 'class-validator';
import { MaxLength, Nested, Nullable } from '../shared/body.js';
import { LIMITS } from '../shared/limits.js';

/** The keys of a browser's subscription, in base64url. */
export class PushKeysBody {
  /** A point on the curve P-256: 65 bytes. */
  @Matches(/^[\w-]{87}$/)
  p256dh: string;
  /** 16 bytes. */
  @Matches(/^[\w-]{22}$/)
  auth: string;
}

/** POST /api/push/subscriptions: a browser's `PushSubscription.toJSON()`. */
export class PushSubscriptionBody {
  @IsString()
  @MaxLength(LIMITS.pushEndpoint)
  endpoint: string;
  @Nullable()
  @IsInt()
  expirationTime?: number | null;
  @Nested(() => PushKeysBody)
  keys: PushKeysBody;
}

/** DELETE /api/push/subscriptions */
export class EndPushSubscriptionBody {
  @IsString()
  @MaxLength(LIMITS.pushEndpoint)
  endpoint: string;
}
