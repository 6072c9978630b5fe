// The peer of broadcast.mjs: plain socket.io. Each POST emits its body to all sockets in one room.
import { createServer } from 'node:http';
import { Server } from 'socket.io';

const http = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    io.to('room').emit('comments', JSON.parse(Buffer.concat(chunks).toString('utf8')).payload);
    response.setHeader('content-type', 'application/json').end('{}');
  });
});
const io = new Server(http, { transports: ['websocket'] });
io.on('connection', (socket) => void socket.join('room'));
http.listen(0, '127.0.0.1', () => process.stdout.write(`${http.address().port}\n`));
