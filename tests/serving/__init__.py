"""The server, over its own client, over sockets, and in a browser.

app: covered by test_guard
context: covered by serving.routes.test_decide
engine: covered by serving.routes.test_ask, test_guard
entity: covered by serving.routes.test_ask
limits: covered by test_guard
questions: covered by serving.routes.test_ask, test_rules
schemas: covered by test_schema
server: covered by test_shutdown, test_connections
"""
