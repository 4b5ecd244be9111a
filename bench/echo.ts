/* The least a server can do: one write of 800 bytes for whatever arrives, not read. Says its port on the first line. */
import { createServer, type AddressInfo } from 'node:net'

const body = 'x'.repeat(700)
const answer = Buffer.from(`HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
const server = createServer({ noDelay: true }, (socket) => {
  socket.on('data', () => socket.write(answer))
  socket.on('error', () => undefined)
})
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
