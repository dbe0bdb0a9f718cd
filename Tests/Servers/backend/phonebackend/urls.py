"""Every address of the server."""
from __future__ import annotations

from django.http import HttpRequest, JsonResponse
from django.urls import path

from . import admin, api, signin

documented = [
    path(".well-known/openid-configuration", signin.DiscoveryView.as_view()),
    path("oauth/jwks", signin.KeysView.as_view()),
    path("oauth/device_authorization", signin.DeviceAuthorizationView.as_view()),
    path("oauth/token", signin.OAuthTokenView.as_view()),
    path("oauth/revoke", signin.RevocationView.as_view()),
    path("oauth/userinfo", signin.UserInfoView.as_view()),
    path("api/token", api.TokenView.as_view()),
    path("api/device-tokens", api.DeviceTokensView.as_view()),
    path("api/device-tokens/<str:id>", api.DeviceTokenView.as_view()),
    path("api/organizations", api.OrganizationsView.as_view()),
    path("api/voip/switch-org", api.SwitchView.as_view()),
    path("api/voip-credentials", api.CredentialsView.as_view()),
    path("api/push-registrations", api.PushRegistrationsView.as_view()),
    path("api/push-registrations/<str:id>/void", api.VoidPushView.as_view()),
]
urlpatterns = [*documented, path("device", signin.page), path("admin/<slug:name>", admin.view)]


def not_found(request: HttpRequest, exception: Exception) -> JsonResponse:
    return admin.refusal(404, "not_found", "There is nothing at this address.")


def failed(request: HttpRequest) -> JsonResponse:
    return admin.refusal(500, "fault", "The server has a fault. Its event `fault` says more.")


def bad(request: HttpRequest, exception: Exception) -> JsonResponse:
    return admin.refusal(400, "bad_request", "The request makes no sense.")


handler404, handler500, handler400 = not_found, failed, bad
