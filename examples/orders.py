"""A small web server, busy with requests of its own clients: flametop record -- python3 examples/orders.py

Every request asks a database (SQLite), fills in a page, packs it, and sends it. The page of all orders is slow: it
formats every number on its own. Needs only Python's standard library.
"""
import json
import random
import sqlite3
import string
import threading
import urllib.request
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PAGE = string.Template("<html><h1>$title</h1><table>$rows</table></html>")
ROW = string.Template("<tr><td>$number</td><td>$customer</td><td>$price</td></tr>")


def make_orders():
    random.seed(1)
    db = sqlite3.connect(":memory:", check_same_thread=False)
    db.execute("create table orders (number integer primary key, customer text, cents integer)")
    names = ["".join(random.choices(string.ascii_lowercase, k=8)).title() for _ in range(400)]
    db.executemany("insert into orders (customer, cents) values (?, ?)",
                   ((random.choice(names), random.randrange(1_000_000)) for _ in range(20_000)))
    return db


class Shop(BaseHTTPRequestHandler):
    db = make_orders()
    lock = threading.Lock()

    def ask(self, question, *values):
        with self.lock:
            return self.db.execute(question, values).fetchall()

    def format_price(self, cents):
        whole = str(cents // 100)
        groups = []
        while whole:
            groups.insert(0, whole[-3:])
            whole = whole[:-3]
        return "%s.%02d" % (",".join(groups) or "0", cents % 100)

    def render_orders(self):
        orders = self.ask("select number, customer, cents from orders order by cents desc limit 300")
        rows = (ROW.substitute(number=n, customer=c, price=self.format_price(p)) for n, c, p in orders)
        return PAGE.substitute(title="Orders", rows="".join(rows))

    def list_customers(self):
        found = self.ask("select customer, count(*), sum(cents) from orders group by customer order by 3 desc")
        return json.dumps([{"customer": c, "orders": n, "total": self.format_price(t)} for c, n, t in found])

    def do_GET(self):
        text = self.render_orders() if self.path == "/orders" else self.list_customers()
        body = zlib.compress(text.encode())
        self.send_response(200)
        self.send_header("Content-Encoding", "deflate")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def be_a_client(address):
    while True:
        for path in ("/orders", "/customers"):
            urllib.request.urlopen(address + path).read()


def main():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Shop)
    for _ in range(2):
        threading.Thread(target=be_a_client, args=("http://127.0.0.1:%d" % server.server_port,), daemon=True).start()
    server.serve_forever()


if __name__ == "__main__":
    main()
