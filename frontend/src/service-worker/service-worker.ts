import { serveShell } from './shell';
import { takeOverWhenAlone } from './takeover';

takeOverWhenAlone();
serveShell();
