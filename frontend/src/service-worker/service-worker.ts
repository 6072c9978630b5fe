import { receivePushes } from './push';
import { serveShell } from './shell';
import { takeOverWhenAlone } from './takeover';

takeOverWhenAlone();
serveShell();
receivePushes();
