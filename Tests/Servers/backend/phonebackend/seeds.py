"""The users, organisations and phones of a new folder. All secrets here are public."""
from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction

from .models import Client, Device, Membership, Organization, digest

ORGANIZATIONS = [
    ("17", True, "Analytical Engines", "analytical-engines", "+442079460017"),
    ("42", True, "Bletchley Park", "bletchley-park", "+442079460042"),
    ("org_nord", False, "Nordlicht", "nordlicht", "+4930901820"),
]
#: User name, full name, password, and organisations, the default one first.
PEOPLE = [
    ("ada", "Ada Lovelace", "ada-password", ["17", "42", "org_nord"]),
    ("grace", "Grace Hopper", "grace-password", ["42"]),
    ("alan", "Alan Turing", "alan-password", []),
]
#: User, device identifier, label. The device tokens are `device-token-1` and `device-token-2`.
DEVICES = [
    ("ada", "urn:uuid:00000000-0000-4000-8000-000000000001", "Front desk"),
    ("grace", "urn:uuid:00000000-0000-4000-8000-000000000002", "Lobby"),
]
CLIENTS = [("offhook", "Offhook", "RS256"), ("offhook-es256", "Offhook, with ES256", "ES256")]


@transaction.atomic
def create() -> None:
    """Creates the data, unless the database has data."""
    if Organization.objects.exists():
        return
    for client_id, name, algorithm in CLIENTS:
        Client.objects.create(client_id=client_id, name=name, id_token_signed_response_alg=algorithm)
    organizations = {
        identifier: Organization.objects.create(
            public_id=identifier, is_numeric=numeric, name=name, slug=slug, channel_number=number)
        for identifier, numeric, name, slug, number in ORGANIZATIONS}
    for name, full_name, password, member_of in PEOPLE:
        first, last = full_name.split(" ")
        user = User.objects.create_user(name, f"{name}@example.org", password, first_name=first, last_name=last)
        for identifier in member_of:
            organization = organizations[identifier]
            account = f"{name}-{identifier}"
            Membership.objects.create(
                user=user, organization=organization, is_default=identifier == member_of[0],
                sip_username=account, sip_password=f"secret-{account}", caller_id_name=full_name,
                caller_id_number=organization.channel_number)
    for number, (name, device_id, label) in enumerate(DEVICES, 1):
        user = User.objects.get(username=name)
        default = user.memberships.get(is_default=True).organization
        Device.objects.create(
            user=user, device_id=device_id, name=label, token_digest=digest(f"device-token-{number}"),
            mqtt_password=f"mqtt-password-{number}", organization=default)


@transaction.atomic
def recreate() -> None:
    """Replaces everything by the data of a new folder. Primary keys start at 1 again."""
    from django.db import connection

    from .models import DeviceCode, PushRegistration, Token

    tables = (PushRegistration, Token, DeviceCode, Device, Membership, Client, Organization, User)
    for table in tables:
        table.objects.all().delete()
    with connection.cursor() as cursor:
        for table in tables:
            cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [table._meta.db_table])
    create()
