import type { ClientOptions } from '@grpc/grpc-js';
import type { EventStoreDbNode } from './eventstoredb-address.js';

const PING_MS = 10_000;
const PONG_MS = 3_000;
/** The server may hold events of 16 MB that other programs wrote. */
const MOST_BYTES = 17 * 1024 * 1024;

/** The settings of every channel to a node. */
export function channelOptions({ certificateName }: EventStoreDbNode): Partial<ClientOptions> {
  return {
    'grpc.keepalive_time_ms': PING_MS,
    'grpc.keepalive_timeout_ms': PONG_MS,
    'grpc.max_receive_message_length': MOST_BYTES,
    // A new connection must not inherit the backoff of the one before, which grows to two minutes.
    'grpc.use_local_subchannel_pool': 1,
    ...(certificateName === undefined ? {} : { 'grpc.ssl_target_name_override': certificateName, 'grpc.default_authority': certificateName }),
  };
}
